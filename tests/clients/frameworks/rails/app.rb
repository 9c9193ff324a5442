# A Rails application whose controller keeps songs through Dynamoid. The SDK knows the endpoint from the environment.
require 'action_controller/railtie'
require 'dynamoid'

Dynamoid.configure { |config| config.namespace = 'rails' }

class Song
  include Dynamoid::Document
  table name: :songs, key: :artist, capacity_mode: :on_demand
  field :year, :integer
end

class App < Rails::Application
  config.eager_load = false
  config.hosts.clear
  config.secret_key_base = 'x'
  config.logger = Logger.new($stderr)
  routes.append { get '/songs/:artist', to: 'songs#show' }
end

class SongsController < ActionController::API
  def show
    Song.create(artist: params[:artist], year: params[:year].to_i) if params[:year]
    render json: { year: Song.find(params[:artist]).year }
  end
end

App.initialize!
Song.create_table
